import { h } from 'vue';
import { data } from './home-program.data.mjs';

/** The first program of the README with its output, next to the title of the home page. */
export default () => h('div', { class: 'vp-doc home-program', innerHTML: data });
