import { h } from 'vue';
import DefaultTheme from 'vitepress/theme-without-fonts';
import '../../../ui/tokens.css';
import './style.css';
import './code.css';
import './tables.css';
import './home.css';
import HomeProgram from './home-program.mjs';

/** The leaf of the panel, in the color of the theme. */
const Leaf = () =>
  h('svg', { class: 'leaf', viewBox: '0 0 18 18', 'aria-hidden': 'true' }, [
    h('path', { d: 'M3 15.5C3 8 7 3 15 2.5c0 3-.8 5.2-2.3 7H8.5M3.2 12.5h5.6' }),
  ]);

const slots = { 'nav-bar-title-before': () => h(Leaf), 'home-hero-image': () => h(HomeProgram) };

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, slots),
};
