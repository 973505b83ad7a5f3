/** The numbers of the requests that a sentence names, such as `#12`, in its order. */
export function requestsNamedIn(sentence: string): readonly number[] {
  return [...sentence.matchAll(/#(\d+)/g)].map(([, seq]) => Number(seq));
}
