import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Sessions = () => (
  <PageBody>
    <PageHead title="Sessions" />
  </PageBody>
)
