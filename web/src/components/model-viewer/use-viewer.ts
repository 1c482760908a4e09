import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Viewer } from './viewer.ts'

/** In metres. */
export type Size = { x: number; y: number; z: number }
export type Shown = { size: Size; clips: string[]; variants: string[] }

/** Loads the viewer code. @returns false if loading failed, undefined while loading */
export function useViewerCode(): boolean | undefined {
  const [isThere, setIsThere] = useState<boolean>()
  useEffect(() => {
    import('./viewer.ts').then(
      ({ prepareViewer }) => {
        prepareViewer()
        setIsThere(true)
      },
      () => setIsThere(false),
    )
  }, [])
  return isThere
}

/** The size and clips of the model once it is drawn. @param onDrawn is called then @returns `shown` is null if it cannot be drawn */
export function useViewer(
  url: string | undefined,
  onDrawn?: (viewer: Viewer) => void,
): {
  viewer: RefObject<Viewer | null>
  attach: (element: Viewer | null) => void
  shown: Shown | null | undefined
} {
  const viewer = useRef<Viewer>(null)
  const [element, setElement] = useState<Viewer | null>(null)
  const [shown, setShown] = useState<Shown | null>()
  const drawn = useRef(onDrawn)
  drawn.current = onDrawn

  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another model
  useEffect(() => {
    setShown(undefined)
    viewer.current = element
    if (!element) return
    const isDrawn = () => {
      const { x, y, z } = element.getDimensions()
      setShown({ size: { x, y, z }, clips: element.availableAnimations, variants: element.availableVariants })
      drawn.current?.(element)
    }
    const isNot = () => setShown(null)
    element.addEventListener('load', isDrawn)
    element.addEventListener('error', isNot)
    return () => {
      element.removeEventListener('load', isDrawn)
      element.removeEventListener('error', isNot)
    }
  }, [element, url])
  return { viewer, attach: setElement, shown }
}

const STEP = Math.PI / 4

/** Camera movements for the buttons. */
export const cameraOf = (viewer: RefObject<Viewer | null>) => ({
  turn(steps: number) {
    const element = viewer.current
    if (!element) return
    const { theta, phi, radius } = element.getCameraOrbit()
    element.cameraOrbit = `${theta + steps * STEP}rad ${phi}rad ${radius}m`
  },
  nearer: (steps: number) => viewer.current?.zoom(steps),
  whole() {
    const element = viewer.current
    if (!element) return
    // Setting an unchanged value has no effect.
    element.cameraOrbit = '0deg 75deg 104.9%'
    element.cameraOrbit = 'auto auto auto'
    element.cameraTarget = 'auto auto auto'
    element.fieldOfView = 'auto'
    element.resetTurntableRotation(0)
  },
})
