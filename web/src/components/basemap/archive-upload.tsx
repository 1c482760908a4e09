import type { Basemap } from '@cairn/sdk'
import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { formatPercent } from '../data/format.ts'
import { Failure } from '../feedback/failure.tsx'
import { notifySuccess } from '../feedback/notify.ts'

const texts = messages.admin.basemap
/** The addresses of uploads that were interrupted, by file. */
const KEPT = 'cairn-basemap-upload'

/** A button that uploads a PMTiles archive, resumably, and lets maps draw it. For ops. */
export function ArchiveUpload({ basemap }: { basemap: Basemap }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const leaving = useRef<AbortController>(null)
  const [sent, setSent] = useState(0)
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const left = new AbortController()
      leaving.current = left
      setSent(0)
      const name = `${file.name} ${file.size} ${file.lastModified}`
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Record<string, string>
      const { fileId } = await cairn.files.upload(file, {
        resume: kept[name] ?? null,
        signal: left.signal,
        onBegun: (address) => localStorage.setItem(KEPT, JSON.stringify({ [name]: address })),
        onProgress: (progress) => setSent(progress.sent / file.size),
      })
      localStorage.removeItem(KEPT)
      setSent(1)
      try {
        await cairn.box.replaceBasemapArchive(fileId)
      } finally {
        // The service has its own copy, or has refused the file.
        await cairn.files.delete(fileId)
      }
      return cairn.box.setBasemap({ source: 'file' })
    },
    onSuccess: (changed) => {
      queries.setQueryData(['basemap', 'choice'], changed)
      notifySuccess(texts.uploaded)
    },
  })
  const isCancelled = leaving.current?.signal.aborted === true
  return (
    <div className="stack">
      {upload.isPending ? (
        <div className="row wrap">
          <span role="status">{sent < 1 ? texts.sent(formatPercent(sent)) : texts.checking}</span>
          {sent < 1 && (
            <Button size="xs" onClick={() => leaving.current?.abort()}>
              {texts.pause}
            </Button>
          )}
        </div>
      ) : (
        <div>
          <FileButton accept=".pmtiles" onChange={(file) => file && upload.mutate(file)}>
            {(props) => (
              <Button {...props} size="xs" leftSection={<IconUpload size={14} aria-hidden />}>
                {basemap.file.state === 'none' ? texts.upload : texts.uploadAnother}
              </Button>
            )}
          </FileButton>
        </div>
      )}
      {upload.error && !isCancelled && <Failure error={upload.error} title={texts.notUploaded} />}
      <p className="small faint">{texts.resumes}</p>
    </div>
  )
}
