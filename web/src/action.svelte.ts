/** Something that a person asks for: under way, or why it did not work. */

export class Action {
  busy = $state(false);
  error = $state.raw<unknown>(null);

  /** Says whether it worked. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    try {
      await work();
      this.error = null;
    } catch (problem) {
      this.error = problem;
    }
    this.busy = false;
    return this.error === null;
  }

  /** The same for a form that is sent. */
  submit(work: () => Promise<unknown>): (event: SubmitEvent) => void {
    return (event) => {
      event.preventDefault();
      void this.run(work);
    };
  }
}
