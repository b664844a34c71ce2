import { translation } from '../catalogue'
import type en from '../en/invitation'

export default translation<typeof en>({
  title: 'Recebeu um convite',
  about: 'Alguém quer partilhar um projeto consigo neste servidor.',
  aboutFor: 'Alguém quer partilhar um projeto consigo. Crie uma conta com {email} e o projeto estará lá.',
  offer: '{who} convida-o para o projeto',
  mayRead: 'Poderá ler os seus dados.',
  maySend: 'Poderá preencher os seus formulários.',
  mayEdit: 'Poderá preencher os seus formulários e editar os seus dados.',
  mayManage: 'Poderá gerir os seus formulários, os seus dados e as suas pessoas.',
  accept: 'Aceitar como {name}',
  another: 'Usar outra conta',
  accepted: 'Aceitou. O projeto é partilhado consigo.',
  open: 'Abrir o projeto',
  closed: 'O registo está fechado neste servidor. Inicie sessão com uma conta que tenha, ou peça uma a quem o gere.',
  over: 'Este convite já não é válido: foi retirado, ou alguém o usou. Peça um novo.',
  register: 'Criar uma conta',
  signIn: 'Tenho uma conta',
  signedIn: 'Tem a sessão iniciada como {name}. O que é partilhado consigo está na sua página inicial.',
  goOn: 'Para a página inicial',
})
