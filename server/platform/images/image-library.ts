let loaded: Promise<typeof import('sharp').default> | undefined

/** The image library, for processes apart alone, loaded at the first use.
 * It also reads SVG, PDF and more: those loaders are closed, so that a polyglot cannot reach them. The setting is the whole process’s and made once; it holds what any image needs, so each part checks by itself that an input is of a kind it takes. */
export function imageLibrary() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((kind) => `VipsForeignLoad${kind}`) })
    sharp.cache(false)
    return sharp
  })
  return loaded
}
