import { script } from './engine.ts';

const { options, run } = script('stampede');

export { options };
export default run;
