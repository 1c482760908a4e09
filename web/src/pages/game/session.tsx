import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const SessionPage = () => (
  <PageBody>
    <PageHead title="SessionPage" />
  </PageBody>
)
