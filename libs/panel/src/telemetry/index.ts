export { PanelSpanProcessor } from './panel-span-processor.js';
