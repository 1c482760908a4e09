import { Button, Radio, Select, TextInput } from '@mantine/core'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { fieldErrors, formError, useFocusOnError } from '../../../components/feedback/field-errors.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { withTexts } from '../../../language/translate.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import classes from '../guide.module.css'
import { StepPage } from '../step-page.tsx'
import type { StepProps } from '../welcome.tsx'
import { useCoordinates } from './use-coordinates.ts'

const texts = messages.welcome.place
const PlaceMap = lazy(async () => ({
  default: (await withTexts(() => import('./place-map.tsx'), 'map', 'welcome')()).PlaceMap,
}))
const FIELDS = ['title', 'latitude', 'longitude']
type Visibility = 'public' | 'private'

/** Creates a pin at coordinates that are typed, pasted or read from the browser. */
export function PinStep({ made, onNext }: StepProps) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [title, setTitle] = useState('')
  const [visibility, setVisibility] = useState<Visibility>('private')
  const [fileId, setFileId] = useState<string | null>(made.file ? String(made.file) : null)
  const place = useCoordinates()
  const models = useModels()

  const creation = useMutation({
    mutationFn: () => {
      const model = models.find((one) => String(one.fileId) === fileId)
      const content = model ? { contentType: 'GLB' as const, contentUrl: model.url } : { contentType: 'OTHER' as const }
      return cairn.pins.create({ title, ...place.point!, visibility, ...content })
    },
    onSuccess: async (pin) => {
      await queries.invalidateQueries({ queryKey: ['pins'] })
      onNext({ pin: pin.id })
    },
  })
  useFocusOnError(form, creation.error)
  useFocusOnError(form, place.checks)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (place.check() && title.trim() !== '') creation.mutate()
  }
  const wrong: Partial<Record<string, string>> = {
    ...fieldErrors(creation.error),
    ...place.wrong,
    ...(place.checks > 0 && title.trim() === '' ? { title: messages.common.needed } : {}),
  }
  const rest = formError(creation.error, FIELDS)
  return (
    <form onSubmit={submit} ref={form} noValidate>
      <StepPage
        title={texts.title}
        lead={texts.lead}
        actions={
          <>
            <Button type="submit" variant="filled" loading={creation.isPending}>
              {texts.create}
            </Button>
            <Button variant="subtle" onClick={() => onNext()}>
              {messages.welcome.skip}
            </Button>
          </>
        }
      >
        {rest && <Notice tone="err" title={rest} />}
        <TextInput
          className={classes.narrow}
          label={texts.name}
          placeholder={texts.namePlaceholder}
          required
          value={title}
          error={wrong.title}
          onChange={({ currentTarget: { value } }) => setTitle(value)}
        />
        <div className={`stack ${classes.narrow}`}>
          <div className={classes.two}>
            {(['latitude', 'longitude'] as const).map((name) => (
              <TextInput
                key={name}
                label={texts[name]}
                placeholder={name === 'latitude' ? '51.477900' : '-0.001400'}
                inputMode="decimal"
                required
                value={place.fields[name]}
                error={wrong[name]}
                onPaste={place.paste}
                onChange={({ currentTarget: { value } }) => place.set(name, value)}
              />
            ))}
          </div>
          <p className="small faint">
            {texts.degrees} {texts.onMap}
          </p>
          <div>
            <Button
              size="xs"
              leftSection={<IconCurrentLocation size={14} aria-hidden />}
              loading={place.isAsking}
              onClick={place.askBrowser}
            >
              {texts.here}
            </Button>
          </div>
          <Suspense fallback={<div className={classes.map} />}>
            <PlaceMap point={place.point} onPoint={place.put} />
          </Suspense>
          {place.isRefused && <Notice tone="warn">{texts.hereRefused}</Notice>}
        </div>
        {models.length > 0 && (
          <Select
            className={classes.narrow}
            label={texts.shows}
            placeholder={texts.nothing}
            clearable
            data={models.map((model) => ({ value: String(model.fileId), label: model.fileName }))}
            value={fileId}
            onChange={setFileId}
          />
        )}
        <Radio.Group
          label={texts.visibility}
          value={visibility}
          onChange={(value) => setVisibility(value as Visibility)}
        >
          <div className={classes.choices}>
            {Object.entries(texts.visibilities).map(([value, label]) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </div>
        </Radio.Group>
      </StepPage>
    </form>
  )
}

/** The user's GLB files, newest first. */
function useModels() {
  const cairn = useCairn()
  const { data } = useQuery({
    queryKey: ['files', 'guide'],
    queryFn: async ({ signal }) => (await cairn.files.list({ limit: 20 }, { signal }).first()).items,
  })
  return (data ?? []).filter(({ contentType }) => contentType === 'model/gltf-binary')
}
