import { translation } from '../catalogue'
import type en from '../en/project-settings'

export default translation<typeof en>({
  about: 'Sobre este proyecto',
  name: 'Nombre',
  description: 'Descripción',
  location: 'Lugar',
  locationHint: 'De dónde vienen los datos: una ciudad, una región, un país.',
  category: 'Tema',
  categoryHint: 'Por ejemplo salud, agua, educación.',
  save: 'Guardar',
  saved: 'Guardado.',
  visibility: 'Quién puede verlo',
  private: 'Solo aquellos con quienes se comparte',
  privateAbout: 'Nadie más se entera de que existe.',
  public: 'Todos',
  publicAbout:
    'También sin cuenta se ven su nombre, su descripción y sus formularios públicos. Los registros siguen cerrados salvo que un formulario los abra.',
  nowPublic: 'El proyecto ahora es público.',
  nowPrivate: 'El proyecto ahora está cerrado.',
  labels: 'Etiquetas',
  labelsAbout: 'Palabras para encontrar y agrupar proyectos.',
  newLabel: 'Nueva etiqueta',
  add: 'Añadir',
  removeLabel: 'Quitar la etiqueta {label}',
  labelRemoved: 'La etiqueta «{label}» está quitada.',
  noLabels: 'Aún no hay etiquetas.',
  transfer: 'Cederlo a otra cuenta',
  transferAbout:
    'El nuevo propietario lo recibe todo: formularios, registros y quién puede verlos. Usted solo conserva acceso si lo comparte con usted.',
  newOwner: 'Nombre de usuario de una persona u organización',
  transferAction: 'Ceder',
  transferTitle: '¿Ceder «{name}» a {owner}?',
  transferred: '«{name}» pertenece ahora a {owner}.',
  delete: 'Borrar este proyecto',
  deleteAbout: {
    one: 'Su formulario y todos sus registros se van con él. No se puede deshacer.',
    many: 'Sus {n} formularios y todos sus registros se van con él. No se puede deshacer.',
    other: 'Sus {n} formularios y todos sus registros se van con él. No se puede deshacer.',
  },
  deleteTitle: '¿Borrar «{name}»?',
  deleted: '«{name}» está borrado.',
})
