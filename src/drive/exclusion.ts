import { covers } from '../trace/things.ts';

/** What must not change while a request is under way, and what the request may use up for others. */
export interface Claim {
  readonly needs: readonly string[];
  readonly takes: readonly string[];
}

/** A claim that was granted. */
export interface Hold {
  /** Adds to the claim if no other claim conflicts; returns whether it did. Never waits. */
  extend(more: Claim): boolean;
  release(): void;
}

interface Waiting {
  readonly claim: Claim;
  readonly grant: () => void;
}

/** Mutual exclusion of requests over their targets. */
export interface Exclusion {
  /**
   * Resolves when no other claim conflicts. It grants the whole claim at once, so nobody holds one thing while waiting
   * for another, and no deadlock can arise. Claims are granted in the order of asking, so nobody waits forever; an
   * urgent claim overtakes waiting ones.
   */
  hold(claim: Claim, urgent?: boolean): Promise<Hold>;
}

export function exclusion(): Exclusion {
  const held = new Set<{ claim: Claim }>();
  const waiting: Waiting[] = [];

  const isFree = (claim: Claim): boolean => [...held].every((other) => !conflict(claim, other.claim));

  function grantWaiting(): void {
    for (let index = 0; index < waiting.length; ) {
      const next = waiting[index];
      const passed = waiting.slice(0, index);
      if (next && isFree(next.claim) && !passed.some((earlier) => conflict(next.claim, earlier.claim))) {
        waiting.splice(index, 1);
        next.grant();
      } else index += 1;
    }
  }

  function take(claim: Claim): Hold {
    const own = { claim };
    held.add(own);
    return {
      extend(more) {
        const others = [...held].filter((other) => other !== own);
        if (others.some((other) => conflict(more, other.claim))) return false;
        own.claim = { needs: [...own.claim.needs, ...more.needs], takes: [...own.claim.takes, ...more.takes] };
        return true;
      },
      release() {
        held.delete(own);
        grantWaiting();
      },
    };
  }

  return {
    hold(claim, urgent = false) {
      if (isFree(claim) && (urgent || !waiting.some((earlier) => conflict(claim, earlier.claim)))) {
        return Promise.resolve(take(claim));
      }
      return new Promise((resolve) => {
        const entry = { claim, grant: () => resolve(take(claim)) };
        waiting.splice(urgent ? 0 : waiting.length, 0, entry);
      });
    },
  };
}

/** Whether one uses up what the other needs or uses up, or something above it. */
function conflict(one: Claim, other: Claim): boolean {
  return takesFrom(one, other) || takesFrom(other, one);
}

function takesFrom({ takes }: Claim, other: Claim): boolean {
  return takes.some((thing) => [...other.needs, ...other.takes].some((each) => covers(thing, each)));
}
