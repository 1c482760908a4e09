/**
 * Hash of the one stylesheet in the model viewer's shadow tree. `web/test/styles/viewer-style.test.ts` reports the hash of
 * another version.
 */
export const VIEWER_STYLE = 'sha256-PXtZZkJMMyc18o/DN1ZEFOJ2qEGq95IQbVaJFMOXOb0='

/** What the model viewer needs of the policy of a page without other scripts. @param origins of its models */
export const viewerPolicy = (origins: string[]): Record<string, string> => ({
  'script-src': "'wasm-unsafe-eval'",
  'style-src': `'${VIEWER_STYLE}'`,
  'img-src': 'blob:',
  'connect-src': `'self' data: blob: ${origins.join(' ')}`,
  'worker-src': "'self' blob:",
})

type Loads = {
  nonce: string
  issuer?: string
  mapHosts: string[]
  /** Whether pages of other sites may show it in a frame. */
  isFramed?: boolean
}

/**
 * The Content-Security-Policy of the console (https://www.w3.org/TR/CSP3/): it may load from the service itself and
 * from hosts that the operator or ops have set. Styles added by scripts carry the page's nonce.
 */
export function consolePolicy({ nonce, issuer, mapHosts, isFramed = false }: Loads) {
  const outside = [...(issuer ? [new URL(issuer).origin] : []), ...mapHosts].join(' ')
  return Object.entries({
    'default-src': "'none'",
    // WebAssembly decodes compressed models and textures.
    'script-src': "'self' 'wasm-unsafe-eval'",
    'style-src': `'self' 'nonce-${nonce}' '${VIEWER_STYLE}'`,
    'font-src': "'self'",
    // The map and the model viewer draw from blobs.
    'img-src': `'self' data: blob: ${mapHosts.join(' ')}`.trim(),
    'connect-src': `'self' data: blob: ${outside}`.trim(),
    'worker-src': "'self' blob:",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': isFramed ? '*' : "'none'",
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
