import { translation } from '../catalogue'
import type en from '../en/invitation'

export default translation<typeof en>({
  title: 'Recebeu um convite',
  about: 'Alguém quer partilhar um projeto consigo neste servidor.',
  aboutFor: 'Alguém quer partilhar um projeto consigo. Crie uma conta com {email} e o projeto estará lá.',
  register: 'Criar uma conta',
  signIn: 'Tenho uma conta',
  signedIn: 'Tem a sessão iniciada como {name}. O que é partilhado consigo está na sua página inicial.',
  goOn: 'Para a página inicial',
})
