import type { Gcp } from '@cairn/sdk'
import { ActionIcon, Button, FileButton } from '@mantine/core'
import { IconPhotoPlus, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isSameOrigin } from '../../../components/data/same-origin.ts'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import classes from '../editor/editor.module.css'
import { PhotoTags } from './photo-tags.tsx'

const texts = messages.map.photos
/** The service accepts this many photos per request. */
const AT_ONCE = 3

/** Shows, adds and removes photos of a control point, and opens one with its tags. Photos on other hosts are links. */
export function GcpPhotos({ gcp, onChanged }: { gcp: Gcp; onChanged: () => void }) {
  const cairn = useCairn()
  const [openUrl, setOpenUrl] = useState<string>()
  const uploadAt = (url: string | undefined) => gcp.uploadedFiles.find(({ fileUrl }) => fileUrl === url)
  const nameOf = (url: string) => texts.photo(gcp.photoUrls.indexOf(url) + 1, gcp.title)
  const [progress, setProgress] = useState({ sent: 0, of: 0 })
  const add = useMutation({
    mutationFn: async (files: File[]) => {
      const refused: { names: string[]; error: unknown }[] = []
      for (let sent = 0; sent < files.length; sent += AT_ONCE) {
        setProgress({ sent, of: files.length })
        const some = files.slice(sent, sent + AT_ONCE)
        try {
          await cairn.gcps.uploadPhotos(some, { gcpId: gcp.id })
          onChanged()
        } catch (error) {
          refused.push({ names: some.map(({ name }) => name), error })
        }
      }
      return refused
    },
  })
  const remove = useMutation({
    mutationFn: (url: string) => cairn.gcps.removePhoto(gcp.id, url),
    onSuccess: onChanged,
  })
  return (
    <div className="stack">
      <div className="row">
        <h3 className="grow">{texts.title(gcp.photoUrls.length)}</h3>
        <FileButton multiple accept="image/*" onChange={(files) => files.length > 0 && add.mutate(files)}>
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="subtle"
              loading={add.isPending}
              leftSection={<IconPhotoPlus size={14} aria-hidden />}
            >
              {texts.add}
            </Button>
          )}
        </FileButton>
      </div>
      {gcp.photoUrls.length > 0 && (
        <ul className={classes.photos}>
          {gcp.photoUrls.map((url, i) => (
            <li key={url}>
              {uploadAt(url) ? (
                <button type="button" onClick={() => setOpenUrl(url)}>
                  <img src={url} alt={nameOf(url)} />
                </button>
              ) : (
                <a href={url} target="_blank" rel="noreferrer">
                  {isSameOrigin(url) ? <img src={url} alt={nameOf(url)} /> : new URL(url).host}
                </a>
              )}
              <ActionIcon
                size={24}
                className={classes.removePhoto}
                aria-label={texts.remove(i + 1)}
                disabled={remove.isPending}
                onClick={() => remove.mutate(url)}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {gcp.uploadedFiles.flatMap(({ id, fileName, tagCheck, notes }) =>
        notes.map((note) => (
          <p key={`${id} ${note}`} className={tagCheck === 'mismatch' ? classes.refusal : 'faint small'}>
            {texts.note(fileName, note)}
          </p>
        )),
      )}
      <PhotoTags
        gcp={gcp}
        onChanged={onChanged}
        photo={uploadAt(openUrl)}
        title={openUrl === undefined ? '' : nameOf(openUrl)}
        onClose={() => setOpenUrl(undefined)}
      />
      {add.isPending && progress.of > AT_ONCE && (
        <p role="status" className="faint small">
          {texts.sending(progress.sent, progress.of)}
        </p>
      )}
      {add.data?.map(({ names, error }) => (
        <p key={names.join()} role="alert" className={classes.refusal}>
          {texts.notAdded(names.join(', '), errorMessage(error))}
        </p>
      ))}
      {remove.error && (
        <p role="alert" className={classes.refusal}>
          {errorMessage(remove.error)}
        </p>
      )}
    </div>
  )
}
