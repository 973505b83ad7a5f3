import { script } from './engine.ts';

const { options, run } = script('sustained');

export { options };
export default run;
