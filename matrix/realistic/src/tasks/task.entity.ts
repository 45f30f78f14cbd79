import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { AttachmentDto } from './task.dto.js';

@ObjectType()
@Entity()
export class Task {
  @Field(() => ID)
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Field()
  @Column()
  tenant!: string;

  @Field()
  @Column()
  title!: string;

  @Field(() => Int)
  @Column()
  priority!: number;

  @Column({ type: 'simple-json', nullable: true })
  attachment!: AttachmentDto | null;
}
