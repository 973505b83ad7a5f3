import { script } from './engine.ts';

const { options, run } = script('kinds');

export { options };
export default run;
