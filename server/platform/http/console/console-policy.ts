/** Of the one stylesheet that the model viewer brings in its own tree. `web/test/styles/viewer-style.test.ts` tells what it is in another version. */
export const VIEWER_STYLE = 'sha256-PXtZZkJMMyc18o/DN1ZEFOJ2qEGq95IQbVaJFMOXOb0='

/** What a page of the console may load, as its Content-Security-Policy (https://www.w3.org/TR/CSP3/): the service itself, and the hosts that the operator has set. Styles that scripts add carry the page's nonce. */
export function consolePolicy({ nonce, issuer, mapHosts }: { nonce: string; issuer?: string; mapHosts: string[] }) {
  const outside = [...(issuer ? [new URL(issuer).origin] : []), ...mapHosts].join(' ')
  return Object.entries({
    'default-src': "'none'",
    // Compressed models and textures are unpacked by WebAssembly.
    'script-src': "'self' 'wasm-unsafe-eval'",
    'style-src': `'self' 'nonce-${nonce}' '${VIEWER_STYLE}'`,
    'font-src': "'self'",
    // The map and the model viewer draw what they have loaded from blobs.
    'img-src': `'self' data: blob: ${mapHosts.join(' ')}`.trim(),
    'connect-src': `'self' data: blob: ${outside}`.trim(),
    'worker-src': "'self' blob:",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
