import { script } from './engine.ts';

const { options, run } = script('isolation');

export { options };
export default run;
