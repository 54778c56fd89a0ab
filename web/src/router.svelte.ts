/** Which page of the viewer is shown. */

import { Router } from './routing.svelte';
import { format, parse } from './state/address';

export const router = new Router(parse, format);
