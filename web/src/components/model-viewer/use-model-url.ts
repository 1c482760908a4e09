import { useEffect, useState } from 'react'

/** The viewer draws GLB files directly. USDZ files are converted first. */
export type ModelSource = { url: string; type: 'GLB' | 'USDZ' }

type Drawable = { url?: string; error?: unknown }

/** The URL for the viewer, once available. */
export function useDrawable({ url, type }: ModelSource): Drawable {
  const [made, setMade] = useState<Drawable & { of?: string }>({})
  useEffect(() => {
    if (type === 'GLB') return
    const left = new AbortController()
    let address: string | undefined
    const make = async () => {
      const { glbOf } = await import('./usdz-to-glb.ts')
      const glb = await glbOf(url, left.signal)
      if (left.signal.aborted) return
      address = URL.createObjectURL(glb)
      setMade({ of: url, url: address })
    }
    make().catch((error: unknown) => {
      if (!left.signal.aborted) setMade({ of: url, error })
    })
    return () => {
      left.abort()
      if (address) URL.revokeObjectURL(address)
    }
  }, [url, type])
  if (type === 'GLB') return { url }
  return made.of === url ? made : {}
}
