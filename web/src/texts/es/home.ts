import { translation } from '../catalogue'
import type en from '../en/home'

export default translation<typeof en>({
  projects: 'Proyectos',
  find: 'Buscar un proyecto',
  found: { one: '{n} proyecto', many: '{n} proyectos', other: '{n} proyectos' },
  forms: { one: '{n} formulario', many: '{n} formularios', other: '{n} formularios' },
  star: 'Marcar {name} como favorito',
  emptyTitle: 'Aún no hay proyectos',
  emptyAbout: 'Un proyecto reúne formularios, sus respuestas y las personas que trabajan con ellos.',
})
