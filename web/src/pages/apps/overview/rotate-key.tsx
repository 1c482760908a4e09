import type { App } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { notifySuccess } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { RotationDialog } from '../rotation-dialog.tsx'

const texts = messages.app.key

/** Creates a new key after asking for the grace period of the old one. */
export function RotateKey({ app, isOpen, onClose }: { app: App; isOpen: boolean; onClose: () => void }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  return (
    <RotationDialog
      isOpen={isOpen}
      onClose={onClose}
      texts={{ ...texts, title: texts.rotateTitle(app.name) }}
      rotate={(graceSeconds) => cairn.apps.rotateKey(app.id, { graceSeconds })}
      onRotated={async (rotated) => {
        queries.setQueryData(['api-key', app.id], rotated.apiKey)
        onClose()
        notifySuccess(texts.rotated)
        await queries.invalidateQueries({ queryKey: ['app', app.id] })
        await queries.invalidateQueries({ queryKey: ['apps'] })
      }}
    />
  )
}
