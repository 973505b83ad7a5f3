import { script } from './engine.ts';

const { options, run } = script('soak');

export { options };
export default run;
