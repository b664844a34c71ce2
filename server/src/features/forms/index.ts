import { openFormCompiler } from '@sheaf/xlsform/thread'
import type { Room } from '../../platform/deps.js'
import { formFileRoutes } from './form-files.routes.js'
import { formLabelRoutes } from './form-labels.routes.js'
import { formSharingRoutes } from './form-sharing.routes.js'
import { formRoutes } from './forms.routes.js'
import { publishRoutes } from './publish.routes.js'

export {
  countForms,
  countPublicForms,
  type Form,
  type FormFilter,
  listForms,
  listPublicForms,
} from './forms.queries.js'
export { FormParams } from './forms.schemas.js'
export {
  type DataSight,
  dataSight,
  type FoundForm,
  formFor,
  underFormLock,
  visibleForm,
  withAccess,
} from './forms.service.js'
export { type Definition, FormModels, formModels } from './models.js'

export const forms: Room = async (app, deps) => {
  const compiler = openFormCompiler()
  app.addHook('onClose', () => compiler.close())
  await publishRoutes(app, deps, compiler)
  await formRoutes(app, deps, compiler)
  await formFileRoutes(app, deps)
  await formSharingRoutes(app, deps, compiler)
  await formLabelRoutes(app, deps)
}
