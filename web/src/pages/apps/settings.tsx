import type { App } from '@cairn/sdk'
import { Button, Radio, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Notice } from '../../components/feedback/notice.tsx'
import { notifySuccess } from '../../components/feedback/notify.ts'
import { useDraft } from '../../components/feedback/use-draft.ts'
import { useForm } from '../../components/feedback/use-form.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { hasRole } from '../../session/use-app.tsx'
import { AlertSettings } from './alerts/alert-settings.tsx'
import { LastAlerts } from './alerts/last-alerts.tsx'
import classes from './app-page.module.css'
import { AppPage } from './app-page.tsx'
import { DeleteApp } from './delete-app.tsx'

const texts = messages.app.settings
const FIELDS = ['name', 'description', 'imageUrl']
const route = getRouteApi('/shell/apps/$appId/settings')

/** The name, image and visibility of an app, its alerts, and its deletion. */
export function Settings() {
  const { appId } = route.useParams()
  return (
    <AppPage appId={appId} tab="settings">
      {(app) => (
        <div className={`${classes.tiles} ${classes.narrow}`}>
          <Panel title={texts.title}>
            <Form key={app.id} app={app} />
          </Panel>
          {hasRole(app, 'admin') && <AlertSettings appId={app.id} />}
          <LastAlerts appId={app.id} />
          <DeleteApp app={app} />
        </div>
      )}
    </AppPage>
  )
}

function Form({ app }: { app: App }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const { fields, set, forget } = useDraft({
    name: app.name,
    description: app.description,
    imageUrl: app.imageUrl ?? '',
    visibility: app.visibility,
  })
  const change = useMutation({
    mutationFn: () => cairn.apps.update(app.id, { ...fields, imageUrl: fields.imageUrl.trim() || null }),
    onMutate: () => fields,
    onSuccess: async (changed, _, sent) => {
      queries.setQueryData(['app', app.id], changed)
      forget(sent)
      notifySuccess(texts.saved)
      await queries.invalidateQueries({ queryKey: ['apps'] })
    },
  })
  const { form, wrong, rest } = useForm(change, FIELDS)
  return (
    <form className="stack" {...form} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <TextInput
        label={texts.name}
        required
        maxLength={100}
        value={fields.name}
        error={wrong.name}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
      <Textarea
        label={texts.description}
        required
        maxLength={500}
        rows={3}
        value={fields.description}
        error={wrong.description}
        onChange={({ currentTarget: { value } }) => set({ description: value })}
      />
      <TextInput
        label={texts.image}
        description={texts.imageText}
        type="url"
        value={fields.imageUrl}
        error={wrong.imageUrl}
        onChange={({ currentTarget: { value } }) => set({ imageUrl: value })}
      />
      <Radio.Group
        label={texts.visibility}
        value={fields.visibility}
        onChange={(value) => set({ visibility: value as App['visibility'] })}
      >
        <div className="stack">
          {(['PRIVATE', 'PUBLIC'] as const).map((value) => (
            <Radio
              key={value}
              value={value}
              label={messages.app.visibility[value]}
              description={messages.app.visibilityTexts[value]}
            />
          ))}
        </div>
      </Radio.Group>
      <div>
        <Button type="submit" variant="filled" loading={change.isPending}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}
