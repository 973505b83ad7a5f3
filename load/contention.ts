import { script } from './engine.ts';

const { options, run } = script('contention');

export { options };
export default run;
