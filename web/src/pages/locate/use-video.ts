import { useEffect, useRef, useState } from 'react'

type VideoState = 'off' | 'on' | 'insecure' | 'missing' | 'refused'

/** The camera of the device, preferably the one at the back. It is off again when the page is left. */
export function useVideo() {
  const video = useRef<HTMLVideoElement>(null)
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [state, setState] = useState<VideoState>(() =>
    !window.isSecureContext ? 'insecure' : navigator.mediaDevices ? 'off' : 'missing',
  )
  useEffect(() => {
    if (!stream) return undefined
    video.current!.srcObject = stream
    return () => {
      for (const track of stream.getTracks()) track.stop()
    }
  }, [stream])

  const start = async () => {
    try {
      // A cropped or scaled picture would have another focal length.
      const video = { facingMode: 'environment', width: { ideal: 1920 }, resizeMode: 'none' }
      setStream(await navigator.mediaDevices.getUserMedia({ video }))
      setState('on')
    } catch {
      setState('refused')
    }
  }
  return { video, state, start }
}

/** Reloads a page of the console that was loaded at another path: only this one may use the camera. */
export function useCameraPolicy() {
  useEffect(() => {
    const { featurePolicy } = document as { featurePolicy?: { allowsFeature: (name: string) => boolean } }
    const isRefused = featurePolicy?.allowsFeature('camera') === false
    const isReloaded = performance.getEntriesByType('navigation').some(({ name }) => name === location.href)
    if (isRefused && !isReloaded) location.reload()
  }, [])
}
