/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * How PEs agree where a host may be lost (runtime/job/survivors.c, apps/oshrun/survive.c): three PEs
 * agree, and PE 2 may die at any time. The others have relays that store into each other's memory.
 * The launcher tells of the loss, and answers a step when all that are left have reported it with the
 * loss that it knows of. Nothing of before may come into a memory that was cleared, nothing that came
 * since may be cleared, and both survivors return, with the same result.
 *
 * Faults: EARLY    a PE clears before all are in the call
 *         UNCLEAR  a PE goes on before all have cleared
 *         UNTOLD   the launcher answers PEs that do not know of the loss
 *         NODONE   a PE returns when it has joined, without the last step
 */
#define HERE 1
#define CLEAR 2
#define DONE 3
#define STEPS 8 /* a word is losses * STEPS + step */
#define GONE 255

#define OLD 1
#define NEW 2

bool dead;
byte known;    /* losses that the launcher has told of */
byte asked[3]; /* words; 0: none */
chan to[2] = [6] of { byte };

byte losses[2], answer[2], result[2];
bool stopped[2], cleared[2];
byte gen[2], mem[2];

#ifdef UNTOLD
#define SAME (asked[0] % STEPS == asked[1] % STEPS)
#define TAKES(n) true
#else
#define SAME (asked[0] == asked[1] && (known == 1 || asked[1] == asked[2]))
#define TAKES(n) ((n) == known)
#endif

active proctype launcher()
{
end:
	do
	:: atomic {
		dead && known == 0 ->
			known = 1;
#ifndef UNTOLD
			asked[0] = 0;
			asked[1] = 0;
#endif
			to[0] ! GONE;
			to[1] ! GONE
	   }
	:: atomic {
		asked[0] != 0 && asked[1] != 0 && (known == 1 || asked[2] != 0) && SAME ->
			to[0] ! asked[0];
			to[1] ! asked[1];
			asked[0] = 0;
			asked[1] = 0;
			asked[2] = 0
	   }
	od
}

/* The thread that reads the launcher's messages. */
proctype reader(byte p)
{
	byte m;

end:
	do
	:: to[p] ? m ->
		if
		:: m == GONE ->
			stopped[p] = true;
			losses[p] = 1
		:: else -> answer[p] = m
		fi
	od
}

proctype relay(byte p)
{
end:
	do
	:: atomic {
		!stopped[p] && mem[1 - p] != gen[p] ->
			assert(gen[p] == NEW || !cleared[1 - p]);
			mem[1 - p] = gen[p]
	   }
	od
}

inline ask(step)
{
	atomic {
		answer[p] = 0;
		word = n * STEPS + step;
		if
		:: TAKES(n) -> asked[p] = word
		:: else
		fi
	}
}

/* All have come to the step, or a host is lost: then again. */
#define AWAIT                                       \
	(answer[p] == word || losses[p] != n);      \
	if                                          \
	:: answer[p] != word -> goto again          \
	:: else                                     \
	fi

proctype survivor(byte p)
{
	byte n, word;

again:
	n = losses[p];
	ask(HERE);
#ifdef EARLY
	if
	:: n == 1
	:: n == 0 -> AWAIT
	fi;
#else
	AWAIT;
#endif
	if
	:: n == 1 && !cleared[p] ->
		atomic {
			assert(mem[p] != NEW);
			mem[p] = 0;
			cleared[p] = true
		}
		ask(CLEAR);
#ifndef UNCLEAR
		AWAIT;
#endif
		gen[p] = NEW;
		stopped[p] = false
	:: else
	fi;
#ifdef NODONE
	if
	:: stopped[p] -> goto again
	:: else
	fi;
#else
	ask(DONE);
	AWAIT;
#endif
	result[p] = n + 1
}

/* PE 2 agrees as the others do, until it dies or all are done. */
proctype mortal()
{
	do
	:: known == 0 && asked[2] == 0 && asked[0] != 0 -> asked[2] = asked[0]
	:: dead = true; break
	:: result[0] != 0 && result[1] != 0 -> break
	od
}

init {
	byte p;

	atomic {
		for (p : 0 .. 1) {
			gen[p] = OLD;
			run reader(p);
			run relay(p);
			run survivor(p)
		}
		run mortal()
	}
	result[0] != 0 && result[1] != 0;
	assert(result[0] == result[1])
}
