import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { language } from './language.svelte';

// The first picture has the right words, so that nothing jumps.
await language.start();
const target = document.getElementById('app');
if (target) mount(App, { target });
