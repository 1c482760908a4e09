import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Audit = () => (
  <PageBody>
    <PageHead title="Audit" />
  </PageBody>
)
