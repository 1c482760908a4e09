import { CairnError } from '@cairn/sdk'
import { Button, FileButton } from '@mantine/core'
import { IconCamera, IconCurrentLocation, IconPhoto } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Failure } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { frameOf } from './frame.ts'
import classes from './locate.module.css'
import { PoseResult } from './pose-result.tsx'
import { LocateSettings, useLocateSettings } from './settings.tsx'
import { useCameraPolicy, useVideo } from './use-video.ts'

const texts = messages.locate

/** Finds the camera of this device by the surveyed tags that it sees, and shows its pose on the map. */
export function Locate() {
  useCameraPolicy()
  const cairn = useCairn()
  const { video, state, start } = useVideo()
  const settings = useLocateSettings()
  const { near, focalLength35 } = settings
  const resetFile = useRef<() => void>(null)

  const ask = (image: Blob) => cairn.gcps.localize(image, near ? { near } : {})
  const find = useMutation({
    mutationFn: async (photo?: File) => {
      const { current } = video
      const image =
        photo ?? (await frameOf(current!, { width: current!.videoWidth, height: current!.videoHeight }, focalLength35))
      try {
        return await ask(image)
      } catch (error) {
        if (!photo || !isAbout(error, 'camera')) throw error
        const picture = await createImageBitmap(photo)
        return await ask(await frameOf(picture, picture, focalLength35))
      }
    },
    // Otherwise the same photo could not be chosen again.
    onSettled: () => resetFile.current?.(),
  })
  const isPlaceMissing = !near && isAbout(find.error, 'near')
  const wrong = state === 'on' || state === 'off' ? null : texts.camera[state]
  return (
    <PageBody>
      <PageHeader title={texts.title} sub={texts.sub} breadcrumbs={[{ name: messages.shell.groups.places }]} />
      <div className={classes.columns}>
        <div className={`stack ${classes.asked}`}>
          <Panel title={texts.camera.title}>
            <div className="stack">
              {state === 'on' ? (
                <video
                  ref={video}
                  className={classes.video}
                  autoPlay
                  playsInline
                  muted
                  aria-label={texts.camera.view}
                />
              ) : (
                wrong && <Notice tone="note">{wrong}</Notice>
              )}
              <p className="small dim">{texts.camera.how}</p>
              <div className="row wrap">
                {state === 'on' ? (
                  <Button
                    variant="filled"
                    leftSection={<IconCurrentLocation size={16} aria-hidden />}
                    loading={find.isPending}
                    onClick={() => find.mutate(undefined)}
                  >
                    {texts.camera.take}
                  </Button>
                ) : (
                  <Button
                    variant="filled"
                    leftSection={<IconCamera size={16} aria-hidden />}
                    disabled={state === 'insecure' || state === 'missing'}
                    onClick={() => void start()}
                  >
                    {texts.camera.start}
                  </Button>
                )}
                <FileButton resetRef={resetFile} accept="image/*" onChange={(file) => file && find.mutate(file)}>
                  {(props) => (
                    <Button {...props} leftSection={<IconPhoto size={16} aria-hidden />} disabled={find.isPending}>
                      {texts.camera.choose}
                    </Button>
                  )}
                </FileButton>
              </div>
            </div>
          </Panel>
          <LocateSettings settings={settings} error={isPlaceMissing ? texts.settings.placeMissing : undefined} />
        </div>
        <Panel title={texts.result.title}>
          <div className="stack" aria-live="polite">
            {find.isPending && <p className="dim">{texts.result.busy}</p>}
            {find.error && !isPlaceMissing && <Failure error={find.error} />}
            {isPlaceMissing && <Notice tone="warn">{texts.settings.placeMissing}</Notice>}
            {find.data && <PoseResult key={find.submittedAt} result={find.data} focalLength35={focalLength35} />}
            {find.isIdle && <p className="faint">{texts.camera.how}</p>}
          </div>
        </Panel>
      </div>
    </PageBody>
  )
}

const isAbout = (error: unknown, field: string): boolean =>
  error instanceof CairnError && error.issues.some(({ path }) => path[0] === field)
