/** Requests of the API's reference, sent to the arena that serves it. */

/** Bytes of an answer that are shown; event streams never end. */
const SHOWN = 20_000;

/** Whether an arena serves these pages. */
export async function arenaIsHere(): Promise<boolean> {
  try {
    const answer = await fetch('/api/openapi.json', { method: 'HEAD' });
    return answer.ok && (answer.headers.get('content-type') ?? '').includes('json');
  } catch {
    return false;
  }
}

/** The address with its places filled in, and what stands behind the question mark. */
export function addressOf(
  path: string,
  fields: readonly { name: string; place: string; value: string }[],
): string {
  let filled = path;
  const query = new URLSearchParams();
  for (const { name, place, value } of fields) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query' && value !== '') query.set(name, value);
  }
  const asked = query.toString();
  return asked ? `${filled}?${asked}` : filled;
}

/** The beginning of an answer as text, and no more of it. */
async function beginning(answer: Response): Promise<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length < SHOWN) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    if ((answer.headers.get('content-type') ?? '').includes('event-stream')) break;
  }
  await reader?.cancel();
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Brings the form of one address to life. */
export function offer(operation: HTMLElement, key: () => string, failed: string): void {
  const form = operation.querySelector('form');
  const output = form?.querySelector('pre');
  if (!form || !output) return;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send().then((text) => {
      output.hidden = false;
      output.textContent = text;
    });
  });

  async function send(): Promise<string> {
    if (!form) return '';
    const inputs = [...form.querySelectorAll<HTMLInputElement>('input')];
    const fields = inputs.map(({ name, value, dataset }) => ({ name, value, place: dataset.in ?? '' }));
    const headers: Record<string, string> = { 'X-Palestra': '1' };
    for (const { name, place, value } of fields) if (place === 'header' && value) headers[name] = value;
    if (key()) headers.Authorization = `Bearer ${key()}`;
    const body = form.querySelector('textarea')?.value;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const method = (operation.dataset.method ?? 'get').toUpperCase();
    try {
      const answer = await fetch(addressOf(operation.dataset.path ?? '', fields), {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      return `${answer.status} ${answer.statusText}\n${pretty(await beginning(answer))}`;
    } catch {
      return failed;
    }
  }
}
