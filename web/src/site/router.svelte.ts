/** Which page of the site is shown. */

import { Router } from '../routing.svelte';
import { format, parse } from './address';

export const router = new Router(parse, format);
