import { script } from './engine.ts';

const { options, run } = script('ramp');

export { options };
export default run;
