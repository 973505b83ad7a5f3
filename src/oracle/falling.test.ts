import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Falling } from './falling.ts';
import type { Event } from './history.ts';

const event = (from: number, to: number, remaining: number | null): Event => ({ from, to, remaining }) as Event;

function fits(...events: readonly Event[]): boolean {
  const falling = new Falling();
  return events.every((each) => falling.take(each, 1, 0));
}

test('what is left never rises while nothing leaves the count', () => {
  expect(fits(event(0, 1, 9), event(2, 3, 9), event(4, 5, 8))).toBe(true);
  expect(fits(event(0, 1, 8), event(2, 3, 9))).toBe(false);
  // At the same time, in any order.
  expect(fits(event(0, 4, 8), event(2, 3, 9))).toBe(true);
});

test('nothing is let through where nothing was left', () => {
  expect(fits(event(0, 1, 0), event(2, 3, 0))).toBe(false);
  expect(fits(event(0, 1, 0), event(2, 3, null))).toBe(false);
  expect(fits(event(0, 2, 0), event(1, 3, 0))).toBe(true);
});

test('of those that overlap, no more are let through than an answer before them said were left', () => {
  const overlapping = (count: number, falling: Falling): boolean => {
    const burst = Array.from({ length: count }, (_, at) => event(2 + at, 20 + at, Math.max(0, 2 - 1 - at)));
    return [event(0, 1, 2), ...burst].every((each) => falling.take(each, 1, 1));
  };
  expect(overlapping(2, new Falling())).toBe(true);
  expect(overlapping(3, new Falling())).toBe(false);
  // If one more is accepted than is shown, and if there is a race.
  expect(overlapping(3, new Falling(0, 1))).toBe(true);
  expect(overlapping(4, new Falling(0, 1))).toBe(false);
  expect(overlapping(4, new Falling(0, 0, true))).toBe(true);
});

test('what was counted for certain leaves one fewer at the least', () => {
  const falling = new Falling();
  expect(falling.take(event(0, 1, 9), 1, 1)).toBe(true);
  expect(falling.take(event(2, 3, 8), 1, 1)).toBe(true);
  expect(falling.take(event(4, 5, 8), 1, 1)).toBe(false);
});

test('what leaves little by little lets what is left rise by no more than that, over any number of requests', () => {
  // One leaves in 100 µs, and a share may be rounded by one.
  const lasting = (...left: readonly number[]): boolean => {
    const falling = new Falling();
    return left.map((remaining, at) => falling.take(event(10 * at, 10 * at + 1, remaining), 1, 1, 0.01)).every(Boolean);
  };
  expect(lasting(50, 49, 48, 48, 47)).toBe(true);
  expect(lasting(50, 50, 50, 50, 50)).toBe(false);
});

test('another window begins anew', () => {
  const falling = new Falling();
  expect(falling.take(event(0, 1, 2), 1, 0)).toBe(true);
  expect(falling.take(event(2, 3, 9), 2, 0)).toBe(true);
});

test('what was told while a request was under way that may be given back tells nothing', () => {
  const falling = new Falling();
  falling.takeReturning(event(0, 1, null));
  expect(falling.take(event(0, 2, 8), 1, 0)).toBe(true);
  expect(falling.take(event(3, 4, 9), 1, 0)).toBe(true);
});

test('a limiter that forgets as it likes, one request after the other, is never contradicted', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 50 }), (counted) => {
      let left = 30;
      const events = counted.flatMap((isCounted, at) => {
        if (left === 0) return [];
        if (isCounted) left -= 1;
        return [event(2 * at, 2 * at + 1, left)];
      });
      return fits(...events);
    }),
  );
});

test('a limiter that counts and gives back as it likes, in any order of decisions, is never contradicted', () => {
  const request = fc.record({
    gap: fc.integer({ min: 0, max: 4 }),
    takes: fc.integer({ min: 1, max: 9 }),
    decided: fc.double({ min: 0, max: 1, noNaN: true }),
    gives: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
      let now = 0;
      const sent = requests.map(({ gap, takes, decided, gives }, at) => {
        now += gap + 1;
        // No two are decided at one moment.
        return { from: now, to: now + takes, time: now + decided * takes + at * 1e-6, gives };
      });
      let left = 20;
      const told = new Map<(typeof sent)[number], number>();
      for (const each of sent.toSorted((one, other) => one.time - other.time)) {
        if (each.gives) left = Math.min(20, left + 1);
        else if (left > 0) told.set(each, --left);
      }
      const falling = new Falling();
      const given = (from: number, to: number): number =>
        sent.filter((each) => each.gives && each.from < to && each.to >= from).length;
      for (const each of sent) {
        if (each.gives) falling.takeReturned();
        const remaining = told.get(each);
        if (remaining === undefined) continue;
        expect(falling.take(event(each.from, each.to, remaining), 1, 1, 0, given(each.from, each.to))).toBe(true);
      }
    }),
  );
});

test('as much as is given back is left again, and no more', () => {
  const falling = new Falling();
  expect(falling.take(event(0, 1, 9), 1, 1)).toBe(true);
  falling.takeReturned();
  expect(falling.take(event(4, 5, 9), 1, 1)).toBe(true);
  expect(falling.take(event(6, 7, 9), 1, 1)).toBe(false);
});

test('what an answer said was left in the window in which it was read holds for those sent later', () => {
  const later = (count: number, told: number): boolean => {
    const falling = new Falling();
    const burst = Array.from({ length: count }, (_, at) => event(2 + at, 20 + at, Math.max(0, 2 - 1 - at)));
    return falling.takeRead(event(0, 1, told), 1) && burst.every((each) => falling.take(each, 1, 1));
  };
  expect(later(2, 2)).toBe(true);
  expect(later(3, 2)).toBe(false);
  // It need not have been counted there, so nothing need be left for it.
  const falling = new Falling();
  expect(falling.take(event(0, 4, 0), 1, 1)).toBe(true);
  expect(falling.takeRead(event(1, 5, 0), 1)).toBe(true);
  expect(falling.takeRead(event(6, 7, 1), 1)).toBe(false);
});
