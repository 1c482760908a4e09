import type { App } from '@cairn/sdk'
import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import { Failure, NotAllowed } from '../../components/feedback/failure.tsx'
import { Skeleton } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useRoles, useSession } from '../../session/session.tsx'
import { SignIn } from '../../session/sign-in.tsx'
import { hasRole, useApp } from '../../session/use-app.tsx'
import { SessionEnded } from '../../shell/session-ended.tsx'
import { Guide } from './guide.tsx'
import { AppStep } from './steps/app-step.tsx'
import { CallStep } from './steps/call-step.tsx'
import { DataStep } from './steps/data-step.tsx'
import { FinishStep } from './steps/finish-step.tsx'
import { HealthStep } from './steps/health-step.tsx'
import { PinStep } from './steps/pin-step.tsx'
import { type GuideSearch, type Step, stepsFor } from './steps.ts'

const route = getRouteApi('/welcome/$step')

/** The app, what earlier steps created, and a callback to continue. */
export type StepProps = { app: App; made: GuideSearch; onNext: (more?: GuideSearch) => void }

/** The first-run guide. The URL holds the step and what was created. */
export function Welcome() {
  const { signedIn } = useSession()
  if (!signedIn) return <SignIn />
  return (
    <>
      <Steps />
      <SessionEnded />
    </>
  )
}

function Steps() {
  const { step } = route.useParams()
  const made = route.useSearch()
  const navigate = useNavigate()
  const steps = stepsFor(useRoles())
  const now = step === 'done' ? 'done' : steps.find((one) => one === step)
  const needsApp = now === 'done' || (now !== undefined && steps.indexOf(now) > steps.indexOf('app'))
  if (!now || (needsApp && !made.app))
    return <Navigate to="/welcome/$step" params={{ step: now ? 'app' : steps[0]! }} search={made} replace />

  const next: Step | 'done' = (now !== 'done' && steps[steps.indexOf(now) + 1]) || 'done'
  const onNext = (more?: GuideSearch) =>
    void navigate({ to: '/welcome/$step', params: { step: next }, search: { ...made, ...more } })
  return (
    <Guide steps={steps} now={now} made={made}>
      {now === 'box' && <HealthStep onNext={onNext} />}
      {now === 'app' && <AppStep appId={made.app} onNext={onNext} />}
      {needsApp && <WithApp appId={made.app!} now={now} made={made} onNext={onNext} />}
    </Guide>
  )
}

const PAGES = { call: CallStep, data: DataStep, place: PinStep, done: FinishStep }

function WithApp({ appId, now, made, onNext }: Omit<StepProps, 'app'> & { appId: string; now: Step | 'done' }) {
  const { data: app, error, refetch } = useApp(appId)
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!app) return <Skeleton rows={4} />
  if (!hasRole(app, 'admin')) return <NotAllowed>{messages.app.key.masked}</NotAllowed>
  const Page = PAGES[now as keyof typeof PAGES]
  return <Page app={app} made={made} onNext={onNext} />
}
