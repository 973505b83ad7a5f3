import { script } from './engine.ts';

const { options, run } = script('boundary');

export { options };
export default run;
