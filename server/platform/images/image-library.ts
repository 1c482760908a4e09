let loaded: Promise<typeof import('sharp').default> | undefined

/**
 * The image library, for sandboxed processes only, loaded on first use. Its loaders for SVG, PDF and others are
 * blocked, so that a polyglot file cannot reach them. This is process-wide and allows every format used anywhere, so
 * each caller checks its own input format.
 */
export function imageLibrary() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((kind) => `VipsForeignLoad${kind}`) })
    sharp.cache(false)
    return sharp
  })
  return loaded
}
