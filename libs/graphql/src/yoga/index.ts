export { yoga, type YogaOptions } from './yoga.js';
