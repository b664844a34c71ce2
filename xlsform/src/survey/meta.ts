import type { Settings } from '../settings.js'
import type { Survey } from './build-survey.js'
import { FormNode, given } from './node.js'

/** The block at the end of every form: audit log, identity and name of a submission. */
export const buildMeta = ({ root, audit, names }: Survey, settings: Settings): FormNode => {
  const meta = new FormNode('group', 'meta', 0).attach(root)
  const add = (node: FormNode): FormNode => {
    meta.children.push(node.attach(meta))
    return node
  }
  if (audit !== null) add(audit)
  if (settings.hasInstanceId) {
    const instanceId = add(new FormNode('question', 'instanceID', 0))
    instanceId.bind.set('type', given('string'))
    instanceId.bind.set('readonly', given('true()'))
    instanceId.bind.set('jr:preload', given(settings.instanceId))
    names.register(instanceId)
  }
  if (settings.instanceName !== null) {
    const instanceName = add(new FormNode('question', 'instanceName', 0))
    instanceName.bind.set('type', given('string'))
    instanceName.bind.set('calculate', {
      text: settings.instanceName,
      sheet: 'settings',
      row: settings.row,
      column: 'instance_name',
    })
  }
  return meta
}
