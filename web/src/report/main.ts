import { mount } from 'svelte';
import '../app.css';
import { language } from '../site/language.svelte';
import '../site/site.css';
import ReportPage from './ReportPage.svelte';
import type { Report } from './api';

const text = document.getElementById('data')?.textContent;
const target = document.getElementById('app');
await language.start();
if (text && target) mount(ReportPage, { target, props: { report: JSON.parse(text) as Report } });
