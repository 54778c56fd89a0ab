/** Puts a text where people can paste it from. */
export async function copy(text: string): Promise<void> {
  // Browsers keep their clipboard from pages that come over a plain network, such as a lecture hall's.
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
