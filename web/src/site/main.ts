import { mount } from 'svelte';
import '../app.css';
import Site from './Site.svelte';
import { arena } from './arena.svelte';
import { language } from './language.svelte';
import './site.css';

const target = document.getElementById('app');
// The first picture has the right words and the event's name and games, so that nothing jumps.
await Promise.all([language.start(), arena.start()]);
if (target) mount(Site, { target });
