import { Button } from '@mantine/core'
import { IconBook, IconCube, IconLayoutDashboard, IconMap2, IconTrophy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import classes from '../guide.module.css'
import { StepPage } from '../step-page.tsx'
import type { StepProps } from '../welcome.tsx'

const texts = messages.welcome.finish

/** Links to everything that was created. */
export function FinishStep({ app, made }: StepProps) {
  const navigate = useNavigate()
  const place = usePlaceOf(made.pin)
  const appId = app.id
  return (
    <StepPage
      title={texts.title}
      lead={texts.lead(app.name)}
      actions={
        <Button variant="filled" onClick={() => void navigate({ to: '/apps/$appId', params: { appId } })}>
          {texts.open(app.name)}
        </Button>
      }
    >
      <nav className={classes.doors} aria-label={texts.title}>
        <Link className={classes.door} to="/apps/$appId/boards/$type" params={{ appId, type: made.board ?? 'default' }}>
          <IconTrophy size={20} aria-hidden />
          <Door name={texts.board} text={texts.boardText} />
        </Link>
        <Link className={classes.door} to="/map" search={place as never}>
          <IconMap2 size={20} aria-hidden />
          <Door name={texts.map} text={texts.mapText} />
        </Link>
        {made.file !== undefined && (
          <Link className={classes.door} to="/files/$fileId" params={{ fileId: String(made.file) }}>
            <IconCube size={20} aria-hidden />
            <Door name={texts.model} text={texts.modelText} />
          </Link>
        )}
        <Link className={classes.door} to="/apps/$appId" params={{ appId }}>
          <IconLayoutDashboard size={20} aria-hidden />
          <Door name={texts.app} text={texts.appText} />
        </Link>
        <a className={classes.door} href="/docs/">
          <IconBook size={20} aria-hidden />
          <Door name={texts.docs} text={texts.docsText} />
        </a>
      </nav>
    </StepPage>
  )
}

const Door = ({ name, text }: { name: string; text: string }): ReactNode => (
  <>
    <span className="strong">{name}</span>
    <span className={classes.text}>{text}</span>
  </>
)

/** The map's search parameters for the created pin. */
function usePlaceOf(pinId: number | undefined) {
  const cairn = useCairn()
  const { data: pin } = useQuery({
    queryKey: ['pin', pinId],
    queryFn: ({ signal }) => cairn.pins.get(pinId!, {}, { signal }),
    enabled: pinId !== undefined,
  })
  if (!pin || pin.latitude === null || pin.longitude === null) return {}
  return { lat: pin.latitude, lon: pin.longitude, select: `pin:${pin.id}` }
}
