import { script } from './engine.ts';

const { options, run } = script('quota-read');

export { options };
export default run;
