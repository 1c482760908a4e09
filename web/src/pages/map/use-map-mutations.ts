import type { Gcp, Pin } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formatMetres } from '../../components/data/format.ts'
import { notifyError } from '../../components/feedback/notify.ts'
import { offerUndo } from '../../components/feedback/undo.tsx'
import { distanceOf, type Place } from '../../map/geodesic.ts'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { heightsAfterMove } from './editor/gcp-heights.ts'
import { placeOfGcp } from './layers/spots.ts'
import { clearPending, markPending } from './pending-deletions.ts'
import { keyOf, type Selection } from './url-state.ts'

const texts = messages.map

/** Changes made on the map, with undo and error messages. */
export function useMapMutations() {
  const cairn = useCairn()
  const queries = useQueryClient()
  return useMemo(() => {
    const refresh = () =>
      Promise.all(['map', 'tag-conflicts'].map((key) => queries.invalidateQueries({ queryKey: [key] })))

    const movePin = async (pin: Pin, to: Place): Promise<void> => {
      const from = { lat: pin.latitude!, lon: pin.longitude! }
      const put = async ({ lat, lon }: Place) => {
        await cairn.pins.update(pin.id, { title: pin.title, latitude: lat, longitude: lon })
        await refresh()
      }
      await moved(pin.title, from, to, put)
    }
    const moveGcp = async (gcp: Gcp, to: Place): Promise<void> => {
      const put = async (to: Place) => {
        await cairn.gcps.update(gcp.id, { title: gcp.title, ...heightsAfterMove(gcp, to) })
        await refresh()
      }
      await moved(gcp.title, placeOfGcp(gcp)!, to, put)
    }
    const remove = (selection: Selection, title: string) => {
      const name = keyOf(selection)
      const api = selection.kind === 'pin' ? cairn.pins : cairn.gcps
      const send = () =>
        api
          // The page may be closing.
          .delete(Number(selection.id), { keepalive: true })
          .then(refresh)
          .catch((error: unknown) => notifyError(error, texts.notDeleted(title)))
          .finally(() => clearPending(name))
      markPending(name)
      offerUndo(
        texts.deleted(title),
        () => clearPending(name),
        () => void send(),
      )
    }
    return { refresh, movePin, moveGcp, remove }
  }, [cairn, queries])
}

async function moved(title: string, from: Place, to: Place, put: (place: Place) => Promise<void>) {
  try {
    await put(to)
  } catch (error) {
    notifyError(error, texts.notMoved(title))
    throw error
  }
  offerUndo(texts.moved(title, formatMetres(distanceOf(from, to))), () => {
    put(from).catch((error: unknown) => notifyError(error, texts.notMoved(title)))
  })
}
