/** Bits to state one value of a header, or a constant offset: one of 128. */
export const VALUE_BITS = 7;

/** Bits to state that Remaining is the limit, or the number used, rather than one of six other rules. */
export const RULE_BITS = 3;

/** Bits for a header that follows no rule and is not judged: more than for a rule with three values. */
export const UNJUDGED_BITS = 4 * VALUE_BITS;
