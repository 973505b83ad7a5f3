import type { FallibleId, Guidance } from './guidance.ts';

type Id = Extract<FallibleId, `LIMIT-${string}`>;

export const LIMIT_GUIDANCE: Readonly<Record<Id, Guidance>> = {
  'LIMIT-R': {
    meaning:
      'A key got more or fewer than 100 reads in a window. The mechanism is inferred first, so a window that ends in the middle of a burst is no failure.',
    causes: [
      'The comparison is off by one: the 101st passes, or the 100th is refused.',
      'The limiter only reports and never refuses.',
      'Several nodes each keep a count of their own, and let the limit through each.',
      'Count and comparison are two steps, so that requests that arrive at once pass together: then LIMIT-ATOMIC fails as well.',
      'From the second window on one request is carried over from the window before.',
      'The count goes down again when a request is refused.',
    ],
    remedies: [
      'Keep one count for each key and kind, shared by all nodes.',
      'Increment first, compare the result, and accept up to and including 100.',
    ],
  },
  'LIMIT-W': {
    meaning: 'A key got more or fewer than 30 writes in a window.',
    causes: [
      'Writes are limited like reads, to 100.',
      'The comparison is off by one, nothing is refused, each node keeps a count of its own, or count and comparison are two steps: as for LIMIT-R.',
    ],
    remedies: [
      'Give writes a limiter of their own, with a limit of 30.',
      'Increment first, compare the result, and accept up to and including 30.',
    ],
  },
  'LIMIT-WINDOW': {
    meaning:
      'The window is not one minute: a spent budget came back before the window ended, or was not back when it had ended. The measured length is reported as an interval, and fails only where that lies outside of 60 s ± 1 s.',
    causes: [
      'A token bucket or leaky bucket gives requests back one by one, so there is no window at all.',
      'Each request, or each refusal, starts the minute anew: a `refreshed TTL`.',
      'A first refusal blocks the key for a time of its own: a `penalty block`.',
      'The count is kept without an expiry, or the expiry is set in a second step that is sometimes lost, and the key stays locked: `no expiry`.',
      'The limit is kept per second and told as if it were per minute.',
    ],
    remedies: [
      'Set the expiry together with the first count, in one step, and never again within the window.',
      'Use fixed windows, a sliding log or a sliding counter over 60 s.',
      'Turn off penalties, back-off and blocking after a refusal.',
    ],
  },
  'LIMIT-KEY': {
    meaning: "Spending one key's budget took something off another key's.",
    causes: [
      'The limiter counts by client address, which is the default of most. Behind a proxy that is the address of the proxy, so all clients share it.',
      'The limiter runs before the key is read, and has nothing else to count by.',
      'One global limit protects the deployment as a whole: a `shared budget`, as the one by address is.',
    ],
    remedies: [
      'Count by the key, after it was accepted.',
      'Keep a limit for the deployment as a whole, where it needs one, well above what all keys may send together.',
    ],
  },
  'LIMIT-SCOPE': {
    meaning:
      'Requests of one key and kind drew on different budgets. A key that spreads its requests over paths or groups gets more than its limit.',
    causes: [
      'The limiter is attached to each route, and keeps a count for each.',
      'Each resource group is a component with a limiter of its own.',
      'The path, the method or the query string is part of the name under which is counted.',
    ],
    remedies: [
      'Name the count by key and kind (read or write) alone.',
      'Share the store of counts between components, and the names in it.',
    ],
  },
  'LIMIT-RW': {
    meaning: 'Reads took something off the budget for writes, or writes off the one for reads.',
    causes: [
      'One count serves both kinds: a `shared budget`.',
      'A limiter for all requests is attached in front of the one for writes, so a write is counted by both.',
    ],
    remedies: ['Count reads and writes under two names, each request under exactly one of them.'],
  },
  'LIMIT-HEADER': {
    meaning:
      'The same key had one budget in `X-API-Key` and another in `Authorization: Bearer`. A client that uses both gets twice the limit.',
    causes: [
      'The limiter counts by the raw header value, so that `Bearer KEY` and `KEY` are two.',
      'The limiter knows one of the headers only, and falls back to the client address for the other.',
    ],
    remedies: ['Count by the identity of the key, as the check of the key returns it.'],
  },
  'LIMIT-EVADE': {
    meaning:
      'A spent budget could be evaded by something that any client can change. The part that failed names it: a new connection, a forged address header, another `User-Agent`, a query string, the spelling of the path, or spaces around the key.',
    causes: [
      'The limiter counts by the client address and trusts `X-Forwarded-For`, `Forwarded` or `X-Real-IP` from anybody.',
      'The raw path is part of the name under which is counted, and the router takes `/Labels/` for `/labels`.',
      'The key is trimmed where it is checked, and not where it is counted.',
      'A fingerprint of the client, such as its `User-Agent` or connection, is part of the name.',
    ],
    remedies: [
      'Count by the identity of the key and the kind of operation, and by nothing that the client can choose.',
      'Trust address headers from your own proxies only.',
    ],
  },
  'LIMIT-ANON': {
    meaning:
      "Requests without an accepted key were taken off a key's budget. Anyone could then spend the budget of somebody else.",
    causes: [
      'Requests without a key fall back to a default name, which is also that of a key.',
      'The limiter counts by address before the key is checked, and the address is that of a client with a key.',
      'A key is counted by its prefix, so that an altered one is charged to the real one.',
    ],
    remedies: [
      'Count after the key was accepted. Limit unauthenticated requests, if at all, under names of their own.',
    ],
  },
  'LIMIT-ATOMIC': {
    meaning:
      'The limit did not hold for requests that arrived at once: more than the limit passed, or requests were given the same remaining value and not all of them were counted.',
    causes: [
      'The count is read, compared, and written back in separate steps: a `lost update`, since what others counted meanwhile is overwritten.',
      'The count is compared first and added to in a later step: a `check-then-act race`, since all who compare meanwhile pass.',
      'Requests are counted after they were answered, or by a timer.',
      'Counts are read from a replica that is some milliseconds behind.',
      'Nodes keep counts of their own and exchange them from time to time.',
      'Two requests that find no window each create one, and one of them is lost.',
      'Entries of a log are named by their time, so that requests of one millisecond are one entry.',
    ],
    remedies: [
      'Use one atomic step that counts and returns the result: an increment, a script in the store, or a lock held over both.',
      'Let each entry of a log have a name of its own.',
      'Count before the request is carried out.',
    ],
  },
  'LIMIT-HISTORY': {
    meaning:
      'The recorded history of a key cannot be explained by any admissible mechanism: fixed windows on a grid or from the first request, a sliding log, or a sliding counter, with every option that they are known to have. The report lists what refuted each of them. Where a mechanism that is not admissible gives all of the answers, the report has its name; where several do, all of their names.',
    causes: [
      '`token bucket`, `GCRA` (the generic cell rate algorithm) or `leaky bucket`: a burst passes and then a steady trickle, since requests are given back one by one. The three count alike, so that no client can tell them apart. Limiters that are set up with a rate and a burst are one of them.',
      '`leaky bucket` alone: requests wait in a queue and are answered on a beat, as proxies do it unless they are told not to delay.',
      '`2 unshared counters`, or more: each node or worker process keeps counts in its own memory, and they answer by turns.',
      '`refreshed TTL`: each request, or each refusal, starts the minute anew. The expiry is set again with each count, or the cache counts it from the last access.',
      '`penalty block`: a refusal blocks the key for a time of its own, which the name tells where it was measured. Limiters have it as a block, ban or penalty, and some have it on unless it is turned off.',
      '`no expiry`: the count never ends, as far as the run could see: it is kept without an expiry, or the expiry is set in a second step that was lost. Where the run was too short for that, it may be `a longer window`.',
      '`shared budget`: what one takes is missing to another. Then LIMIT-KEY or LIMIT-RW fails and says who.',
      '`check-then-act race` or `lost update`: requests that come one by one are counted exactly, and those that come at once are not. Then LIMIT-ATOMIC fails as well. Where it may be `late sync`, nodes that exchange their counts from time to time would answer so, too.',
      'The mechanism is admissible, and something of it is faulty: then one of the more specific requirements fails as well, and says what.',
      'Somebody else used the key during the run. The suite looks for it, and calls limits inconclusive where it notices.',
    ],
    remedies: [
      'Start with the more specific requirement that fails, if there is one.',
      'Choose another algorithm in the limiter: most libraries offer fixed or sliding windows besides buckets.',
      'Give the run keys that nobody else uses.',
    ],
  },
};
