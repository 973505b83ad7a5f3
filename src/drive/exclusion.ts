import { covers } from '../trace/things.ts';

/** What a request needs to stay as it is while it is under way, and what it may take away from others. */
export interface Claim {
  readonly needs: readonly string[];
  readonly takes: readonly string[];
}

/** A claim that was granted. */
export interface Hold {
  /** Adds to the claim, where nothing that is held stands against it: gives whether it did. Never waits. */
  extend(more: Claim): boolean;
  release(): void;
}

interface Waiting {
  readonly claim: Claim;
  readonly grant: () => void;
}

/** Mutual exclusion of requests over the things that they are aimed at. */
export interface Exclusion {
  /**
   * Resolves when nothing that is held stands against the claim: all of it at once, so that nobody holds one thing and waits
   * for another, and no circle of waiting can arise. In the order of asking, so that nobody waits for ever; an urgent
   * claim passes those that wait.
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

/** Whether one takes what the other needs or takes, or something that it lies below. */
function conflict(one: Claim, other: Claim): boolean {
  return takesFrom(one, other) || takesFrom(other, one);
}

function takesFrom({ takes }: Claim, other: Claim): boolean {
  return takes.some((thing) => [...other.needs, ...other.takes].some((each) => covers(thing, each)));
}
