import { script } from './engine.ts';

const { options, run } = script('quota-write');

export { options };
export default run;
