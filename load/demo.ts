import { script } from './engine.ts';

const { options, run } = script('demo');

export { options };
export default run;
